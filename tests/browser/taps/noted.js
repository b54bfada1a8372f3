/**
 * The first script of each page: notes what a person would find in the console, and what the page's own error handlers
 * are told. The same in all engines, as it asks none of them.
 */
{
  const noted = [];
  const said = (value) => (value instanceof Object ? `${value.name}: ${value.message}` : String(value));
  for (const type of ["error", "unhandledrejection", "rejectionhandled"]) {
    addEventListener(type, (event) => noted.push([type, event.message ?? said(event.reason)]));
  }
  for (const [method, native] of Object.entries(console)) {
    if (typeof native !== "function") continue;
    console[method] = (...args) => {
      noted.push([`console.${method}`, ...args.map(String)]);
      return native.apply(console, args);
    };
  }
  globalThis.noted = noted;
}

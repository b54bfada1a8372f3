/** EventSource, EventTarget and the rest of DOM: interfaces as their IDL has them. */
globalThis.source = new EventSource("/events");
idl_test(["dom"], [], async (idl) => {
  const html = await (await fetch("/interfaces/html.idl")).text();
  idl.add_idls(html, { only: ["EventSource"] });
  idl.add_objects({ EventTarget: ["new EventTarget()"], EventSource: ["source"] });
});
add_completion_callback(() => source.close());

/** Fetch and Beacon: interfaces as their IDL has them. */
idl_test(["fetch", "beacon"], ["referrer-policy", "html", "dom"], (idl) => {
  idl.add_objects({
    Headers: ["new Headers()"],
    Request: ["new Request('about:blank')"],
    Response: ["new Response()"],
    Navigator: ["navigator"],
  });
});

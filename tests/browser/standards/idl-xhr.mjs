/** XMLHttpRequest: interfaces as their IDL has them. */
idl_test(["xhr"], ["dom", "html"], (idl) => {
  idl.add_objects({
    XMLHttpRequest: ["new XMLHttpRequest()"],
    XMLHttpRequestUpload: ["(new XMLHttpRequest()).upload"],
    FormData: ["new FormData()"],
    ProgressEvent: ["new ProgressEvent('type')"],
  });
});

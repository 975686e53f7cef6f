// Sockets to nodes of a chain, for the module of chain tables.

/**
 * A socket to a node, which says texts, as the module hears it: bytes, of which the first, empty ones say that it is open.
 * `Made` is the browser's WebSocket, or that of a test.
 */
export function toNode(address, Made = WebSocket) {
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  let socket;
  try {
    socket = new Made(address);
  } catch (why) {
    // A browser refuses some addresses at once, such as those without encryption for a page that came with it.
    return refused(String(why));
  }
  const line = {
    get readyState() {
      return socket.readyState;
    },
    send: (bytes) => socket.send(decoder.decode(bytes)),
    close: () => socket.close(),
    onmessage() {},
    onclose() {},
  };
  const hear = (bytes) => line.onmessage({ data: bytes.buffer });
  socket.onopen = () => hear(new Uint8Array());
  socket.onmessage = ({ data }) => {
    // What is no text is nonsense; the module says so.
    hear(typeof data === "string" ? encoder.encode(data) : Uint8Array.of(0xff));
  };
  socket.onclose = (event) => line.onclose({ reason: event.reason || "the browser does not say why" });
  socket.onerror = () => {};
  return line;
}

/** A socket that ends before it has begun. */
function refused(reason) {
  const line = { readyState: 3, send() {}, close() {}, onmessage() {}, onclose() {} };
  setTimeout(() => line.onclose({ reason }));
  return line;
}

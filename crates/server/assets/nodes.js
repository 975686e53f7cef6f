// Sockets to nodes of a chain, for the module of chain tables.

/**
 * A socket to a node, which says texts, as the module hears it: bytes, of which the first, empty ones say that it is open.
 * `Made` is the browser's WebSocket, or that of a test.
 */
export function toNode(address, Made = WebSocket) {
  const encoder = new TextEncoder(), decoder = new TextDecoder(), socket = new Made(address);
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

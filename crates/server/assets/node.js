// Which node is asked: the one of this server, or any other. It is remembered, and never trusted.
import { say } from "./say.js";

/** Host and port of this server, which passes on what is meant for its node. */
function here() {
  const { protocol, hostname, port } = location, safe = protocol === "https:";
  return `${safe ? "wss://" : ""}${hostname}:${port || (safe ? 443 : 80)}`;
}

/** Whether an address is that of this very computer. */
const isLocal = (at) => /^((ws|http):\/\/)?(localhost|127\.|\[::1\])/.test(at);

export function theNode(root, { want, remember }) {
  const form = root.querySelector(".at-node"), said = form.querySelector(".said"), shown = root.querySelector(".node .at");
  const { at, chain, trust } = form.elements, passes = Boolean(root.dataset.passes);
  const isHere = () => passes && form.elements.which.value === "here";
  let used = null;

  const use = (chosen, meant = {}) => {
    used = chosen;
    // What another node has shown is not this one's.
    root.querySelector("#list").textContent = say("Looking at the chain …", "Die Chain wird angesehen …");
    root.querySelector(".of-chain").hidden = true;
    shown.textContent = chosen.here ? say("this server's", "der dieses Servers") : chosen.at;
    want({ node: { at: chosen.here ? here() : chosen.at, chain: chosen.chain || null, trust: null, ...meant } });
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    said.textContent = "";
    const chosen = { here: isHere(), at: at.value.trim(), chain: chain.value.trim().toLowerCase() };
    if (!chosen.here && !chosen.at) {
      said.textContent = say("Type the address of a node.", "Gib die Adresse eines Knotens ein.");
      return at.focus();
    }
    if (!chosen.here && location.protocol === "https:" && !/^(wss|https):/.test(chosen.at) && !isLocal(chosen.at)) {
      said.textContent = say("This page came encrypted, so your browser reaches only nodes that are, too: their address begins with wss://.", "Diese Seite kam verschlüsselt, deshalb erreicht dein Browser nur Knoten, die es auch sind: Ihre Adresse beginnt mit wss://.");
      return at.focus();
    }
    remember(chosen);
    use(chosen, { trust: trust.value.trim() || null });
  });
  // Whoever types an address means it.
  at.addEventListener("input", () => { if (passes) form.elements.which.value = "other"; });

  return {
    /** The node that was used last, or the one of this server. */
    begin(before) {
      const chosen = before?.here === false || !passes ? before : { here: true };
      if (chosen && !chosen.here) {
        [at.value, chain.value] = [chosen.at, chosen.chain ?? ""];
        if (passes) form.elements.which.value = "other";
      }
      if (chosen && (passes || !chosen.here)) return use(chosen);
      shown.textContent = say("none yet", "noch keiner");
      root.querySelector("#list").textContent = say("Type the address of a node below.", "Gib unten die Adresse eines Knotens ein.");
      root.querySelector(".node").open = true;
    },
    /** Its chain is known. */
    found({ chain: id, name }) {
      const box = root.querySelector(".of-chain");
      box.hidden = false;
      box.querySelector(".chain-name").textContent = name;
      box.querySelector(".chain-id").textContent = id;
    },
    /** The person means this chain, whatever the node's was before. */
    meant(id) {
      if (used) use({ ...used, chain: "" }, { chain: id });
    },
  };
}

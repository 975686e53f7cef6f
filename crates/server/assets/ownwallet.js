// The panel about this browser's wallet. Its key is in the page only while the person looks at it.
import { copy, save } from "./copying.js";
import { say } from "./say.js";

export function ownWallet(root, { ask, become }) {
  const box = root.querySelector("details.own-key:not(.node)"), one = (name) => box.querySelector(name);
  const told = one(".told"), secret = one(".secret"), key = one(".key-text");
  const hide = () => {
    key.value = "";
    key.removeAttribute("value");
    secret.hidden = true;
  };
  const copied = async (text) => {
    told.textContent = (await copy(text)) ? say("Copied.", "Kopiert.") : say("Select it and copy it yourself.", "Markiere und kopiere es selbst.");
  };
  box.addEventListener("toggle", () => { if (!box.open) hide(); });
  const actions = {
    address: () => copied(one(".address").textContent),
    async show() {
      key.value = await ask("secret");
      secret.hidden = false;
      key.select();
    },
    async save() {
      save("fairdeal-wallet.txt", `${await ask("secret")}\n`);
      told.textContent = say("Saved. Whoever has this file has your coins. `fairdeal chain wallet import` reads it, too.", "Gespeichert. Wer diese Datei hat, hat deine Münzen. Auch `fairdeal chain wallet import` liest sie.");
    },
    copy: () => copied(key.value),
    hide,
  };
  box.addEventListener("click", ({ target }) => actions[target.closest("[data-key]")?.dataset.key]?.());
  for (const form of root.querySelectorAll("form.import")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = form.elements.key, typed = field.value.trim(), said = form.querySelector(".said");
      try {
        await become(typed);
      } catch {
        said.className = "said bad";
        said.textContent = why(typed);
        field.focus();
      }
    });
  }
}

/** Why a text is no key of a wallet. */
function why(key) {
  if (/^deal1/i.test(key)) return say("This is an address, which others may know. You need the key: 64 digits.", "Das ist eine Adresse, die andere kennen dürfen. Du brauchst den Schlüssel: 64 Ziffern.");
  if (/^ncryptsec1/i.test(key)) return say("This key is protected with a passphrase. Get it with: fairdeal chain wallet export --secret", "Dieser Schlüssel ist mit einer Passphrase geschützt. Hol ihn mit: fairdeal chain wallet export --secret");
  if (/^[0-9a-f]+$/i.test(key)) return key.length === 64 ? say("These digits are not a valid key.", "Diese Ziffern sind kein Schlüssel.") : say(`A key has 64 digits, and this has ${key.length}.`, `Ein Schlüssel hat 64 Ziffern, das hier sind ${key.length}.`);
  return say("This is not a key. A key has 64 hexadecimal digits.", "Das ist kein Schlüssel. Ein Schlüssel hat 64 hexadezimale Ziffern.");
}

// The panel about this browser's own key. The secret is in the page only while the person looks at it.
import { copy, save } from "./copying.js";
import { say } from "./say.js";

export function ownKey(box, ask) {
  if (!box) return;
  const one = (name) => box.querySelector(name), said = one(".said"), secret = one(".secret"), nsec = one(".nsec");
  const describe = ({ npub, callsign }) => {
    one(".npub").textContent = npub;
    one(".callsign").textContent = callsign;
  };
  const hide = () => {
    nsec.value = "";
    nsec.removeAttribute("value");
    secret.hidden = true;
  };
  // A key is made when it is needed, and not for everybody who looks at the page.
  box.addEventListener("toggle", async () => (box.open ? describe(await ask("who")) : hide()));
  const actions = {
    async show() {
      nsec.value = await ask("secret");
      secret.hidden = false;
      nsec.select();
    },
    async save() {
      save("fairdeal-key.txt", `${await ask("secret")}\n`);
      said.textContent = say("Saved. Anyone who has this file can play as you: keep it where only you can read it.", "Gespeichert. Wer diese Datei hat, kann als du spielen: Verwahre sie, wo nur du sie lesen kannst.");
    },
    async copy() {
      said.textContent = (await copy(nsec.value)) ? say("Copied. Anyone who sees it can play as you.", "Kopiert. Wer ihn sieht, kann als du spielen.") : say("Select it and copy it yourself.", "Markiere und kopiere ihn selbst.");
    },
    hide,
  };
  box.addEventListener("click", ({ target }) => actions[target.closest("[data-key]")?.dataset.key]?.());
  one(".import").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = event.target.elements.key, key = field.value.trim();
    try {
      describe(await ask("become", { key }));
      hide();
      field.value = "";
      said.className = "said good";
      said.textContent = say("From now on this is your key.", "Ab jetzt ist das dein Schlüssel.");
    } catch {
      said.className = "said bad";
      said.textContent = why(key);
      field.focus();
    }
  });
}

/** Why a text is no secret key. */
function why(key) {
  if (/^npub1/i.test(key)) return say("This is a public key, which others may know. You need the secret one: it begins with nsec1.", "Das ist ein öffentlicher Schlüssel, den andere kennen dürfen. Du brauchst den geheimen: Er beginnt mit nsec1.");
  if (/^nsec1/i.test(key)) return say("There is a typing error in this key.", "In diesem Schlüssel ist ein Tippfehler.");
  if (/^[0-9a-f]+$/i.test(key)) return key.length === 64 ? say("These digits are not a valid key.", "Diese Ziffern sind kein Schlüssel.") : say(`A key has 64 digits, and this has ${key.length}.`, `Ein Schlüssel hat 64 Ziffern, das hier sind ${key.length}.`);
  return say("This is not a key. A key begins with nsec1 or has 64 hexadecimal digits.", "Das ist kein Schlüssel. Ein Schlüssel beginnt mit nsec1 oder hat 64 hexadezimale Ziffern.");
}

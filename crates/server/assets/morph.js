// Turns one element into another with as little change as possible, so that focus, scrolling and cards stay.

/** Makes `old` look like `next`; both are elements with the same tag. Children are matched by slot or id. */
export function morph(old, next) {
  attributes(old, next);
  const before = new Map();
  for (const child of old.children) {
    const name = identity(child);
    if (name && !before.has(name)) before.set(name, child);
  }
  let place = old.firstChild;
  for (const wanted of [...next.childNodes]) {
    const name = wanted.nodeType === Node.ELEMENT_NODE ? identity(wanted) : null;
    let found = name ? before.get(name) : null;
    if (found && found.tagName !== wanted.tagName) found = null;
    if (found) {
      before.delete(name);
      if (found === place) place = place.nextSibling;
      else old.insertBefore(found, place);
      morph(found, wanted);
    } else if (place && alike(place, wanted)) {
      const here = place;
      place = place.nextSibling;
      if (here.nodeType === Node.ELEMENT_NODE) morph(here, wanted);
      else if (here.nodeValue !== wanted.nodeValue) here.nodeValue = wanted.nodeValue;
    } else {
      old.insertBefore(wanted, place);
    }
  }
  while (place) {
    const gone = place;
    place = place.nextSibling;
    gone.remove();
  }
}

/** A card is identified by its slot, everything else by its id. */
function identity(element) {
  return element.id || (element.dataset && element.dataset.slot ? `slot ${element.dataset.slot}` : null);
}

function alike(a, b) {
  if (a.nodeType !== b.nodeType) return false;
  if (a.nodeType !== Node.ELEMENT_NODE) return true;
  return a.tagName === b.tagName && !identity(a) && !identity(b);
}

function attributes(old, next) {
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name) && !(name === "open" && old.tagName === "DETAILS")) old.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  // Does not change a field while the player is typing in it or dragging it.
  if (old.tagName === "INPUT" && old !== document.activeElement && old.value !== next.value) old.value = next.value;
}

/** Parses a piece of HTML from the server into an element. */
export function parse(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content.firstElementChild;
}

/** A new element with these properties and what is in it. */
export function make(name, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
}

// Drafts survive a reload: marked cards, an arrangement, an amount. Each is kept in this tab only, together with its player,
// so that another player in the same tab does not get it.

const NAME = "draft";

/** Keeps a draft, replacing the one before. */
export function remember(where, draft) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ ...where, draft }));
  } catch { /* Then it lasts as long as the page. */ }
}

/** The draft of this deal; its amount only if the decision is still the same. */
export function recall({ player, table, deal, height }) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME));
    if (kept?.player !== player || kept.table !== table || kept.deal !== deal || !Array.isArray(kept.draft?.marked)) return null;
    return kept.height === height ? kept.draft : { ...kept.draft, amount: null, changing: null };
  } catch {
    return null;
  }
}

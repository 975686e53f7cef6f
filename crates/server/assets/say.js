// The page's language, for what scripts say themselves.

export const german = document.documentElement.lang === "de";
export const say = (english, deutsch) => (german ? deutsch : english);

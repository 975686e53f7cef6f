// The page's language, for the scripts' own texts.

export const german = document.documentElement.lang === "de";
export const say = (english, deutsch) => (german ? deutsch : english);

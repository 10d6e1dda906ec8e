import { useEffect } from "react";
import { chooseLanguage, LANGUAGES, language, nameOf } from "../lib/language";
import { t } from "../lib/messages";
import { useQuery } from "../lib/url";

/** The language of the interface; the way that the pages run follows from it. */
export function LanguageSwitch() {
  const [{ lang }] = useQuery();
  useEffect(() => {
    if (lang && lang !== language && LANGUAGES.includes(lang)) chooseLanguage(lang);
  }, [lang]);
  return (
    <div className="switch" role="group" aria-label={t("language.label")}>
      {LANGUAGES.map((code) => (
        <button
          key={code}
          type="button"
          className="switch-word"
          lang={code}
          aria-pressed={code === language}
          onClick={() => code !== language && chooseLanguage(code)}
        >
          {nameOf(code)}
        </button>
      ))}
    </div>
  );
}

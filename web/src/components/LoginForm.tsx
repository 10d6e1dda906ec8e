import { type FormEvent, useState } from "react";
import { ApiError, ask } from "../api/client";
import { forget, useAnswer } from "../api/use-answer";
import { t } from "../lib/messages";
import { Button } from "./ui/Button";

/** Exchanges a key for a session of this browser; the key is kept nowhere. */
export function LoginForm({ onDone }: { onDone: () => void }) {
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState("");
  const provider = useAnswer("get_login_ways", {}).data?.oidc;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await ask("login", { body: { key: key.trim() } });
      forget();
      onDone();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
  };
  return (
    <form className="empty login" onSubmit={submit}>
      <h2>{t("shared.aKeyIsRequired")}</h2>
      <p className="muted">{t("shared.askTheServerSAdministratorFor")}</p>
      <pre className="command">
        <code>assay keys create NAME --role read</code>
      </pre>
      <label className="field">
        <span className="field-label">{t("common.key")}</span>
        <input
          type="password"
          autoComplete="current-password"
          required
          maxLength={200}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      </label>
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <Button kind="primary" type="submit">
        {t("shared.logIn")}
      </Button>
      {provider && (
        <a className="button" href="./v1/oidc/login">
          {provider}
        </a>
      )}
    </form>
  );
}

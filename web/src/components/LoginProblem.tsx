import { hasMessage, t } from "../lib/messages";
import { useAddress } from "../lib/url";
import { Notice } from "./ui/Notice";

/** Why logging in through an identity provider failed, where the server says so in the address. */
export function LoginProblem() {
  const { login, request } = useAddress().query;
  const key = `login.${login}`;
  if (!login || !hasMessage(key)) return null;
  return (
    <Notice tone="bad">
      {t(key)} {request && /^[0-9a-f]{16}$/.test(request) && t("shared.requestIdInTheServerLog", { id: request })}
    </Notice>
  );
}

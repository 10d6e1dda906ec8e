/** The one door to the network. */

import { hasMessage, t } from "../lib/messages";
import { OPERATIONS, type Operations } from "./generated/schema";
import { otherAnswerer } from "./source";

export type Operation = keyof Operations;
export type Given<Name extends Operation> = Operations[Name]["given"];
export type AnswerOf<Name extends Operation> = Operations[Name]["answer"];

/** Why there is no answer, in words for people. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** The HTTP status; 0 when the server could not be reached. */
    readonly status: number,
    /** The number under which the server's log knows the request. */
    readonly id: string = "",
  ) {
    super(message);
    this.name = "ApiError";
  }

  get needsKey(): boolean {
    return this.status === 401;
  }
}

/** The address of an operation, relative to the page, so that it works behind a prefix too. */
export function addressOf<Name extends Operation>(name: Name, given: Given<Name>): string {
  const [, path, ...queryNames] = OPERATIONS[name];
  const values = given as Readonly<Record<string, unknown>>;
  const filled = path.replace(/\{(\w+)\}/g, (_, word: string) => encodeURIComponent(String(values[word])));
  const query = new URLSearchParams();
  for (const word of queryNames) {
    const value = values[word];
    if (value !== null && value !== undefined && value !== "") query.set(word, String(value));
  }
  const search = query.toString();
  return `.${filled}${search ? `?${search}` : ""}`;
}

/** Ask the server, or the report that is shown. */
export function ask<Name extends Operation>(
  name: Name,
  given: Given<Name>,
  signal?: AbortSignal,
): Promise<AnswerOf<Name>> {
  return (otherAnswerer() ?? askServer)(name, given, signal);
}

async function askServer<Name extends Operation>(
  name: Name,
  given: Given<Name>,
  signal?: AbortSignal,
): Promise<AnswerOf<Name>> {
  const body = (given as { body?: unknown }).body;
  const isRaw = body instanceof FormData || body instanceof Blob;
  let response: Response;
  try {
    response = await fetch(addressOf(name, given), {
      method: OPERATIONS[name][0],
      headers: {
        Accept: "application/json",
        "X-Assay-Client": "dashboard",
        ...(body === undefined || isRaw ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
      credentials: "same-origin",
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(t("shared.theServerCannotBeReachedIs"), 0);
  }
  if (!response.ok) throw await errorOf(response);
  return (response.status === 204 ? undefined : await response.json()) as AnswerOf<Name>;
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error, code, id } = (await response.json()) as { error?: string; code?: string; id?: string };
    const key = `error.${code}`;
    const said = hasMessage(key) ? t(key, { detail: error }) : error;
    return new ApiError(
      said || t("shared.theServerReturnedStatus", { status: response.status }),
      response.status,
      id ?? "",
    );
  } catch {
    return new ApiError(t("shared.theServerReturnedStatus", { status: response.status }), response.status);
  }
}

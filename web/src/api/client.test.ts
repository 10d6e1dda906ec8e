import { afterEach, expect, it, vi } from "vitest";
import { ApiError, addressOf, ask } from "./client";

afterEach(() => vi.unstubAllGlobals());

it("fills in paths and leaves out what is not given", () => {
  expect(addressOf("get_run", { name: "team/a b" })).toBe("./v1/runs/team%2Fa%20b");
  expect(addressOf("list_tests", { run: "monday", status: null, offset: 0, text: "" })).toBe(
    "./v1/tests?run=monday&offset=0",
  );
});

it("gives the server's own words for what went wrong", async () => {
  const answer = Response.json({ error: "there is no run 'x' in the store", id: "ab12" }, { status: 404 });
  vi.stubGlobal("fetch", vi.fn().mockResolvedValue(answer));
  const error = await ask("get_run", { name: "x" }).catch((found: unknown) => found);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message: "there is no run 'x' in the store",
    status: 404,
    id: "ab12",
    needsKey: false,
  });
});

it("says when the server is gone", async () => {
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("failed")));
  await expect(ask("get_me", {})).rejects.toMatchObject({ status: 0 });
});

it("sends bodies as JSON with the client header", async () => {
  const fetched = vi.fn().mockResolvedValue(new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetched);
  await ask("login", { body: { key: "k" } });
  expect(fetched).toHaveBeenCalledWith(
    "./v1/login",
    expect.objectContaining({
      method: "POST",
      body: '{"key":"k"}',
      headers: expect.objectContaining({ "Content-Type": "application/json", "X-Assay-Client": "dashboard" }),
    }),
  );
});

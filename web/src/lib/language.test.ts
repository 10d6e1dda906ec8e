import { describe, expect, it, vi } from "vitest";
import { LANGUAGES, nameOf, pickLanguage, pickLocale } from "./language";

describe("the language", () => {
  it.each([
    [["ar-EG", "en"], "ar"],
    [["fr-FR", "AR"], "ar"],
    [[undefined, null, "en-US"], "en"],
    [["xx", "ar"], "ar"],
    [["fr"], "en"],
    [[], "en"],
  ])("for %j is %s", (wanted, code) => {
    expect(pickLanguage(wanted)).toBe(code);
  });

  it("is one of the message files, under its own name", () => {
    expect(LANGUAGES.map(nameOf)).toEqual(["English", "العربية"]);
  });

  it("writes numbers as the browser's variant of it does", () => {
    expect(pickLocale("ar", ["fr", "ar-MA"])).toBe("ar-MA");
    expect(pickLocale("ar", ["en-US"])).toBe("ar");
    expect(pickLocale("en", ["en-US"])).toBe("en-GB");
  });
});

describe("messages in Arabic", async () => {
  vi.stubGlobal("window", {
    location: { hash: "#/?lang=ar" },
    navigator: { languages: ["ar-EG"] },
  });
  vi.resetModules();
  const { t, word } = await import("./messages");
  const { formatDifference, formatMoment, formatShare } = await import("./format");
  vi.unstubAllGlobals();
  const plain = (text: string) => text.replace(/[\u2066-\u2069\u200e\u200f\u061c]/g, "");

  it.each([
    [0, "لم يسؤ أي مقياس"],
    [1, "أسوأ في مقياس واحد"],
    [2, "أسوأ في مقياسين"],
    [3, "أسوأ في ٣ مقاييس"],
    [11, "أسوأ في ١١ مقياسًا"],
    [100, "أسوأ في ١٠٠ مقياس"],
  ])("have the plural form of %i", (count, words) => {
    expect(plain(t("overview.worseInMetrics", { count }))).toBe(words);
  });

  it("have their own digits, percent sign and dates", () => {
    expect(plain(formatShare(0.848))).toBe("٨٤٫٨٪");
    expect(plain(formatDifference(-0.05, { unit: "share", range: [0, 1] }))).toBe("−٥٫٠ نقطة");
    expect(plain(t("common.interval95", { interval: "x" }))).toBe("فاصل الثقة ٩٥٪: x");
    expect(formatMoment(new Date(2026, 10, 5, 12, 30).toISOString())).toContain("٢٠٢٦");
  });

  it("leave names of the server that they do not know", () => {
    expect([word("passed"), word("toString"), word("brand new")]).toEqual(["ناجحة", "toString", "brand new"]);
  });
});

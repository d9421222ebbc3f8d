/**
 * Owns what of the style the first screens load: the rules of those classes that their scripts name, by the principle by
 * which Tailwind finds classes. All of the style comes before any other screen (`browser/wholeStyle.ts`), behind it and
 * with every rule once more, so that the order of rules is that of the whole.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "lightningcss";
import type { Plugin, Rollup } from "vite";

/** Modules of the screens that the app may start with, beside what the page itself loads. */
const FIRST_SCREENS = /\/(SignInScreen|SchedulingScreen)\.tsx$/;

/** The rules of a style sheet whose classes all stand somewhere in the text. */
function rulesOf(css: Uint8Array, filename: string, text: string): Uint8Array {
  const { code } = transform({
    filename,
    code: css,
    minify: true,
    visitor: {
      Rule: {
        style: ({ value }) => {
          const isNamed = value.selectors.some((it) =>
            it.every((part) => part.type !== "class" || text.includes(part.name)),
          );
          return isNamed ? undefined : [];
        },
      },
    },
  });
  return code;
}

/** Everything that a chunk brings at once. */
function withImports(bundle: Rollup.OutputBundle, begin: Iterable<string>): Rollup.OutputChunk[] {
  const names = new Set(begin);
  const chunks: Rollup.OutputChunk[] = [];
  for (const name of names) {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk") continue;
    chunks.push(chunk);
    for (const it of chunk.imports) names.add(it);
  }
  return chunks;
}

/** Has the page load its part of the style, and name the whole. */
export function firstStyle(page: string): Plugin {
  return {
    name: "first-style",
    apply: "build",
    writeBundle: {
      order: "post",
      handler({ dir = "" }, bundle) {
        const isFirst = (it: Rollup.OutputBundle[string]) =>
          it.type === "chunk" && (it.isEntry || it.moduleIds.some((id) => FIRST_SCREENS.test(id)));
        const first = Object.keys(bundle).filter((name) => bundle[name] && isFirst(bundle[name]));
        const path = join(dir, page);
        const html = readFileSync(path, "utf8");
        const link = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/.exec(html);
        if (!link?.[1]) throw new Error(`${page} has no style.`);
        const scripts = withImports(bundle, first).map((it) => it.code);
        // As they are written, and not as a script has to escape them.
        const text = [html, ...scripts].join("\n").replaceAll("\\", "");
        const css = rulesOf(readFileSync(join(dir, link[1])), link[1], text);
        const hash = createHash("sha256").update(css).digest("base64url").slice(0, 8);
        const name = `assets/first-${hash}.css`;
        writeFileSync(join(dir, name), css);
        const whole = `<meta name="whole-style" content="/${link[1]}">`;
        writeFileSync(path, html.replace(link[0], `${link[0].replace(link[1], name)}\n    ${whole}`));
      },
    },
  };
}

/**
 * Draws the portraits of the demo's pets into `server/demo/`, each from a few words about its kind and its coat, and a film
 * of one of them. Run by `cargo xtask pets` after something of them has changed. All of it is drawn here; there is no
 * picture of anybody else.
 */
import { chromium } from "@playwright/test";
import { both, fur, INK, line, oval, path, SIZE } from "./drawing.mjs";
import { film } from "./film.mjs";

const QUALITY = 72;

const TAG = "#f6b933";
const PINK = "#e8a0a0";

const EARS = {
  /** Hanging at the sides, as a retriever's. */
  drop: ({ ear, inner }) =>
    both(path("M96 92C62 88 40 116 42 160C43 190 58 208 74 202C92 196 98 160 112 128Z", ear) + path("M70 128C60 150 58 176 68 190", "none", `stroke="${inner}" stroke-width="5" stroke-linecap="round" opacity=".5"`)),
  /** Upright and pointed, as a spitz's. */
  prick: ({ ear, inner }) =>
    both(path("M84 132C70 92 70 54 80 38C104 46 130 72 142 98Z", ear) + path("M94 112C86 88 86 70 89 60C104 68 118 82 124 96Z", inner)),
  /** Small and round at the tip, in much fur. */
  small: ({ ear, inner }) =>
    both(path("M88 124C72 96 70 66 82 54C104 56 126 74 136 98Z", ear) + path("M96 108C88 92 88 78 92 72C106 76 116 86 122 98Z", inner)),
  /** Folded forward, as a terrier's. */
  fold: ({ ear, inner }) =>
    both(path("M80 118C72 92 82 70 104 66C124 64 140 76 144 90L120 102Z", inner) + path("M84 82C100 66 132 70 142 88C128 96 112 118 96 134C84 124 78 100 84 82Z", ear)),
  /** Large and upright, as a bat's. */
  bat: ({ ear, inner }) =>
    both(path("M78 134C56 96 54 52 76 34C106 34 134 66 136 104Z", ear) + path("M86 114C72 90 70 64 80 52C98 56 116 78 118 102Z", inner)),
  /** Laid back, as a sight hound's. */
  rose: ({ ear, inner }) =>
    both(path("M112 104C92 96 66 100 48 122C44 130 52 140 66 140C84 138 102 128 118 122Z", ear) + path("M104 112C88 108 72 112 60 124", "none", `stroke="${inner}" stroke-width="6" stroke-linecap="round" opacity=".55"`)),
  cat: ({ ear, inner, tuft }) =>
    both(path("M70 140C60 96 62 58 72 42C100 54 128 76 144 102Z", ear) + path("M82 116C76 92 78 74 82 64C98 72 114 86 122 100Z", inner) + (tuft ? line("M78 50L66 26M80 52L78 22", tuft, 5) : "")),
};

const eye = (x, y, color, r = 12) =>
  `${oval(x, y, r, r, color)}${oval(x, y, r * 0.62, r * 0.62, INK)}${oval(x + r * 0.3, y - r * 0.38, r * 0.28, r * 0.28, "#fff")}`;
const catEye = (x, y, color) =>
  `${oval(x, y, 17, 15, INK)}${oval(x, y, 15, 13, color)}${oval(x, y, 5, 12, INK)}${oval(x + 4, y - 5, 3.4, 3.4, "#fff")}`;

/** Shoulders with a collar and its tag, at the foot of the picture. */
function body({ coat, chest, collar, ruff }) {
  return [
    path("M48 330C50 262 92 234 160 234C228 234 270 262 272 330Z", coat),
    chest ? path("M112 330C108 280 128 250 160 250C192 250 212 280 208 330Z", chest) : "",
    ruff ? fur(160, 232, 92, 62, 22, 16, ruff) : "",
    collar ? line("M96 252C124 276 196 276 224 252", collar, 16) : "",
    collar ? `${oval(160, 287, 14, 14, TAG)}${oval(160, 275, 5, 5, "none", `stroke="${TAG}" stroke-width="4"`)}` : "",
  ].join("");
}

/** The head of a dog. */
function face(it) {
  const { coat, muzzle = coat, nose = INK, eyes = "#5b3a1e", head = [78, 80], snout = [42, 34], y = 148 } = it;
  const [width, height] = head;
  const [wide, high] = snout;
  const middle = y + height * 0.42;
  const shape = it.shaggy ? fur(160, y, width, height, it.shaggy, 13, coat) : path(`M160 ${y - height}C${160 + width * 0.8} ${y - height} ${160 + width * 1.06} ${y - height * 0.45} ${160 + width} ${y}C${160 + width * 0.9} ${y + height * 0.62} ${160 + width * 0.5} ${y + height} 160 ${y + height}C${160 - width * 0.5} ${y + height} ${160 - width * 0.9} ${y + height * 0.62} ${160 - width} ${y}C${160 - width * 1.06} ${y - height * 0.45} ${160 - width * 0.8} ${y - height} 160 ${y - height}Z`, coat);
  const mouth = line(`M160 ${middle + 12}V${middle + 26}M160 ${middle + 26}C150 ${middle + 38} 136 ${middle + 36} 130 ${middle + 28}M160 ${middle + 26}C170 ${middle + 38} 184 ${middle + 36} 190 ${middle + 28}`, it.line ?? INK, 4);
  return [
    it.behind ?? "",
    // What is folded lies over the brow.
    it.ears === "fold" ? "" : EARS[it.ears](it),
    shape,
    it.mask ?? "",
    it.ears === "fold" ? EARS.fold(it) : "",
    oval(160, middle + 16, wide, high, muzzle),
    it.over ?? "",
    it.tongue ? path(`M146 ${middle + 30}C146 ${middle + 66} 174 ${middle + 66} 174 ${middle + 30}C166 ${middle + 38} 154 ${middle + 38} 146 ${middle + 30}Z`, "#e4686f") : "",
    mouth,
    path(`M138 ${middle - 6}C138 ${middle - 16} 182 ${middle - 16} 182 ${middle - 6}C182 ${middle + 6} 170 ${middle + 14} 160 ${middle + 14}C150 ${middle + 14} 138 ${middle + 6} 138 ${middle - 6}Z`, nose),
    oval(152, middle - 7, 6, 3, "#fff", 'opacity=".35"'),
    both(eye(160 - width * 0.46, y - height * 0.06, eyes)),
    it.brows ? both(oval(160 - width * 0.42, y - height * 0.34, 10, 7, it.brows)) : "",
    it.last ?? "",
  ].join("");
}

const dog = (it) => body(it) + face(it);

function cat(it) {
  const { coat, muzzle = coat, eyes, whiskers = "#fff" } = it;
  return [
    body(it),
    EARS.cat(it),
    it.ruff ? fur(160, 160, 90, 78, 26, 14, coat) : oval(160, 156, 90, 76, coat),
    it.mask ?? "",
    both(oval(142, 190, 28, 22, muzzle)),
    it.over ?? "",
    both(catEye(118, 150, eyes)),
    path("M148 172H172L160 186Z", PINK, `stroke="${PINK}" stroke-width="5" stroke-linejoin="round"`),
    line("M160 186V196M160 196C154 206 142 206 138 200M160 196C166 206 178 206 182 200", INK, 3.5),
    both(line("M118 188L58 178M118 196L60 202", whiskers, 2.5, 'opacity=".85"')),
    it.last ?? "",
  ].join("");
}

const BLACK = "#34302f";
const TAN = "#c98a4b";
const WHITE = "#f7f2e8";

/** Sides of the face in another color, from the ears down to the cheeks. */
const cheeks = (fill, inner = 128) => both(path(`M84 96C76 120 78 176 112 214C128 206 ${inner} 190 ${inner} 168C${inner - 4} 140 ${inner - 10} 104 112 84Z`, fill));
const blaze = (fill, w = 13) => path(`M160 66C${160 + w} 72 ${160 + w * 0.8} 118 ${160 + w * 2} 168H${160 - w * 2}C${160 - w * 0.8} 118 ${160 - w} 72 160 66Z`, fill);
const stripes = (color) =>
  line("M160 84V112M142 86L146 110M178 86L174 110", color, 8) + both(line("M76 152L98 156M78 174L98 172", color, 7));

const NALLE = { coat: "#2f2a29", ears: "small", ear: "#2f2a29", inner: "#6b4a3a", ruff: "#2a2625", chest: "#8a6a4a", shaggy: 26, head: [82, 80], muzzle: TAN, snout: [40, 34], mask: both(oval(112, 196, 24, 20, "#a8713f")), brows: TAN, tongue: true };

const PETS = {
  nalle: ["#d7e3ea", dog(NALLE)],
  halla: ["#bcd3e6", dog({ coat: WHITE, ears: "small", ear: WHITE, inner: "#eab9a8", ruff: "#fffdf8", shaggy: 28, head: [88, 82], muzzle: "#fffdf8", snout: [42, 32], collar: "#4e7fb5", tongue: true })],
  roelli: ["#dfe6c8", dog({ coat: "#b48a5a", ears: "fold", ear: "#7a5636", inner: "#6b4a2e", shaggy: 17, head: [78, 82], muzzle: "#e6d2ae", snout: [46, 40], chest: "#e6d2ae", collar: "#2f7d5b", over: fur(160, 222, 38, 18, 11, 9, "#e6d2ae"), last: fur(160, 80, 30, 16, 9, 14, "#8f6a41") })],
  pipsa: ["#f1d9d0", dog({ coat: "#8b8d90", ears: "fold", ear: "#5d6063", inner: "#4b4d50", head: [74, 80], muzzle: "#dcdedd", snout: [48, 38], chest: "#c9cbcb", collar: "#b4485a", over: fur(160, 226, 52, 28, 13, 12, "#dcdedd"), last: both(path("M90 122C104 106 128 106 140 122C126 126 112 138 100 146C94 138 90 130 90 122Z", "#e9eae8")), brows: undefined })],
  otso: ["#d9e2d2", dog({ coat: BLACK, ears: "drop", ear: "#2a2625", inner: "#14110f", head: [84, 84], muzzle: WHITE, snout: [44, 36], chest: WHITE, collar: "#8a3b2c", mask: cheeks("#a9622f", 116) + blaze(WHITE), brows: "#b56c34", tongue: true })],
  misse: ["#e6dcc6", cat({ coat: "#8d7a63", ear: "#7b6852", inner: "#d8a994", ruff: "#e8dcc6", muzzle: "#f2e9d9", eyes: "#b6c44a", tuft: "#4d4034", chest: "#e8dcc6", mask: stripes("#4d4034") })],
  turre: ["#e3e0ee", dog({ coat: "#a98a60", ears: "fold", ear: "#5a4630", inner: "#4a3925", shaggy: 22, head: [72, 74], muzzle: "#4d3d2d", snout: [38, 32], chest: "#c9ac80", collar: "#3f6f9f", line: "#17120e" })],
  sulo: ["#f3e3c0", dog({ coat: "#c98f52", ears: "fold", ear: "#8f5c2c", inner: "#7a4d24", shaggy: 22, head: [72, 74], muzzle: "#6d4826", snout: [36, 30], chest: "#e3bd85", collar: "#a83f3f", line: "#22160c", tongue: true })],
  luna: ["#cfe3dc", dog({ coat: "#dfb06a", ears: "drop", ear: "#c48f49", inner: "#9a6a30", head: [80, 82], muzzle: "#ecca92", snout: [44, 36], chest: "#efd3a2", collar: "#2f6f8f", tongue: true })],
  pomo: ["#ead7e3", dog({ coat: "#c9a883", ears: "bat", ear: "#b8946d", inner: "#e6b9ab", head: [90, 76], y: 156, muzzle: "#5a4a40", snout: [50, 34], chest: "#eadbc6", collar: "#7a4a8f", mask: blaze("#efe3d1", 9), line: "#1c1613" })],
  kerttu: ["#dbe8c9", dog({ coat: "#c9692c", ears: "prick", ear: "#b4591f", inner: "#e9b48c", ruff: "#dd8a4c", shaggy: 24, head: [78, 74], muzzle: "#efc79c", snout: [36, 32], chest: "#efc79c", mask: both(oval(104, 178, 26, 24, "#e3a269")) })],
  musti: ["#f4dda6", dog({ coat: "#38353a", ears: "drop", ear: "#29272b", inner: "#121113", head: [82, 82], muzzle: "#444147", snout: [46, 36], collar: "#d0632f", eyes: "#8a5a2b", line: "#0f0e10", tongue: true })],
  mirri: ["#cfdcea", cat({ coat: "#f6efe3", ear: "#d9863f", inner: "#f0b9a8", muzzle: "#fffaf2", eyes: "#5fae8b", collar: "#b4485a", whiskers: "#a89b8b", mask: path("M160 80C112 78 74 112 70 152C92 170 128 152 148 128Z", "#dd8f49") + path("M176 82C214 88 244 114 248 150C236 166 206 156 190 134Z", "#3a3330") })],
  taika: ["#e9e0d4", dog({ coat: "#9aa0a8", ears: "rose", ear: "#7f858e", inner: "#5f646b", head: [60, 84], y: 142, muzzle: "#b4b9bf", snout: [30, 36], chest: "#f3f1ec", collar: "#33797a", mask: blaze("#f3f1ec", 7) })],
  remu: ["#d4e6e6", dog({ coat: WHITE, ears: "fold", ear: "#a8662f", inner: "#7d4a20", head: [74, 78], muzzle: "#fffdf8", snout: [38, 32], collar: "#c2432f", mask: path("M86 126C84 96 112 72 142 74C150 100 146 146 120 164C100 160 88 148 86 126Z", "#a8662f"), tongue: true })],
  ronja: ["#f0dcc8", dog({ coat: WHITE, ears: "fold", ear: "#3a3331", inner: "#2a2423", head: [72, 76], muzzle: "#fffdf8", snout: [36, 30], collar: "#5b6fb5", mask: cheeks("#3a3331", 122) + cheeks("#b57439", 104) })],
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
for (const [name, [ground, portrait]] of Object.entries(PETS)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}"><rect width="${SIZE}" height="${SIZE}" fill="${ground}"/><circle cx="160" cy="170" r="140" fill="#fff" opacity=".28"/>${portrait}</svg>`;
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  await page.screenshot({ path: `server/demo/${name}.jpg`, type: "jpeg", quality: QUALITY });
}
await film(page, { name: "nalle", coat: NALLE.coat, chest: NALLE.chest, paws: TAN, face: face(NALLE) });
await browser.close();

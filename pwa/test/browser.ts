/** Owns what every test in the browser starts from: the look, since sizes and visibility are part of behavior. */
import "../src/ui/tokens.css";

/** Owns what other features use of messages: writing to a client above their own screens. The conversation loads late. */
export { MessageButton, OpenMessage, useOpenMessage } from "./MessageButton";

/** Owns what other features use of messages: writing to a client above their own screens, and thanks. The conversation loads late. */
export { DeliveryState } from "./DeliveryState";
export { MessageButton, OpenMessage, useOpenMessage } from "./MessageButton";

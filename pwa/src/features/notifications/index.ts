/** Owns what other features use of notifications: their section, which sitters and pet parents have alike. */
export { NotificationsSection } from "./NotificationsSection";

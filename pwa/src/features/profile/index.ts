/** Owns what pet parents' screens use of the profile: the sections of an account and of its device. */
export { AccountSection } from "./AccountSection";
export { CalendarSection } from "./CalendarSection";
export { DevicesSection } from "./DevicesSection";
export { ExportEverything } from "./ExportEverything";
export { FactorsSection } from "./FactorsSection";
export { InstallSection } from "./InstallSection";
export { StorageSection } from "./StorageSection";
export { ThemeChoice } from "./ThemeChoice";

/** Owns what pet parents' screens use of clients: pets and home as they are shown, and the form in which they are changed. */
export { editForm, fixForm } from "./form";
export { HomeSection } from "./HomeSection";
export { PetCard } from "./PetCard";
export { PetSections } from "./PetSections";
export { TextChoices } from "./TextChoices";
export { type ClientFormProps, type OpenClientForm, useClientForm } from "./useClientForm";

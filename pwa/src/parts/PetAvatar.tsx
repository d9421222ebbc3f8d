/** Owns the faces of a service's pets: photos where there are some, initials for the rest. */
import { usePhotoUrl } from "../data";
import { Avatar, AvatarStack } from "../ui";

/** The fields of a pet that an avatar needs. */
interface Face {
  id: string;
  name: string;
  photo?: string | null;
}

export function PetAvatar({ pet, size }: { pet: Face; size?: "small" | "medium" | "large" }) {
  return <Avatar name={pet.name} src={usePhotoUrl(pet.photo)} size={size ?? "medium"} />;
}

/** Pets that are gone are still known by their names. */
export function PetFaces({ pets, names }: { pets: readonly Face[]; names: readonly string[] }) {
  const faces =
    pets.length > 0
      ? pets.map((pet) => <PetAvatar key={pet.id} pet={pet} />)
      : names.map((name) => <Avatar key={name} name={name} />);
  return <AvatarStack>{faces}</AvatarStack>;
}

/** The id of a zone in paths: its name with the final dot. PowerDNS writes every character except letters, digits, `-` and `.` as `=XX`. */
export function zoneIdOf(name: string): string {
  return `${name}.`.replace(/[^A-Za-z0-9.-]/g, (character) => `=${hexOf(character)}`)
}

/** The name of the zone with this id, with its final dot. `=XX` is a byte, and the final dot is optional. `%XX` is already decoded. */
export function zoneNameOf(id: string): string {
  const name = id.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return name.endsWith('.') ? name : `${name}.`
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
}

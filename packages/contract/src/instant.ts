import { z } from 'zod'

/** A time from a request, with any UTC offset, in the years 1 to 9999, which is all that the database accepts. Becomes ISO 8601 in UTC. */
export const instantText = z.iso
  .datetime({ offset: true })
  .refine((text) => isKnownYear(new Date(text).getUTCFullYear()), 'A time in the years 1 to 9999.')
  .transform((text) => new Date(text).toISOString())

function isKnownYear(year: number): boolean {
  return year >= 1 && year <= 9_999
}

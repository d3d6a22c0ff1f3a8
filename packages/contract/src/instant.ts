import { z } from 'zod'

/** A moment that a caller names, with any offset from UTC: of the years 1 to 9999, of which alone the database knows. ISO 8601, in UTC. */
export const instantText = z.iso
  .datetime({ offset: true })
  .refine((text) => isKnownYear(new Date(text).getUTCFullYear()), 'A time in the years 1 to 9999.')
  .transform((text) => new Date(text).toISOString())

function isKnownYear(year: number): boolean {
  return year >= 1 && year <= 9_999
}

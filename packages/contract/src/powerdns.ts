import { z } from 'zod'
import { maxRrsetsPerRequest } from './limits.ts'

// Bodies of requests to the PowerDNS door. Clients send many members that have no meaning here, so unknown ones are dropped. What PowerDNS
// accepts in several forms is read by the door.

const entrySchema = z.object({
  name: z.string(),
  type: z.string(),
  changetype: z.string().nullish(),
  ttl: z.unknown().optional(),
  records: z.array(z.object({ content: z.string(), disabled: z.boolean().nullish() })).nullish(),
  comments: z.unknown().optional(),
})

/** A change of one record set. */
export type PowerdnsEntry = z.output<typeof entrySchema>

const entriesSchema = z.array(entrySchema).max(maxRrsetsPerRequest)

const settings = {
  kind: z.string().nullish(),
  account: z.string().max(255).nullish(),
  dnssec: z.boolean().nullish(),
  nsec3param: z.string().nullish(),
}

/** `PATCH /zones/{zone}`. */
export const powerdnsPatchSchema = z.object({ rrsets: entriesSchema })

/** `POST /zones`. */
export const powerdnsZoneSchema = z.object({
  ...settings,
  name: z.string(),
  nameservers: z.array(z.string()).nullish(),
  rrsets: entriesSchema.nullish(),
  zone: z.string().nullish(),
})
export type PowerdnsZone = z.output<typeof powerdnsZoneSchema>

/** `PUT /zones/{zone}`. */
export const powerdnsSettingsSchema = z.object({ ...settings, rrsets: z.unknown().optional() })
export type PowerdnsSettings = z.output<typeof powerdnsSettingsSchema>

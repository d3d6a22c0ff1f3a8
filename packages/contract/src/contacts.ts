import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** What a registry accepts in a line of a postal address (RFC 5733 §4: postalLineType). */
const line = z.string().trim().max(255)
const organization = line.meta({ description: 'The organization. It is empty for a person.' })
const state = line.meta({ description: 'The state or province.' })
const postalCode = z.string().trim().max(16)
const extra = z
  .record(z.string().max(64), z.string().max(255))
  .meta({ description: 'Additional fields that some TLDs require. `contact_fields` of the TLD lists these fields.' })

const contactFields = {
  name: line.min(1),
  organization: organization.default(''),
  email: z.string().trim().min(3).max(254).meta({
    description:
      'The email address. The part before the @ must be ASCII and can have at most 64 characters. The service stores the domain in A-labels.',
  }),
  phone: z.string().trim().min(5).max(60).meta({
    description:
      'The phone number, either with + and the country code or as people dial it within the country of the contact. Examples are `+1 212 555 0100 ext. 12` and, in Nigeria, `0803 123 4567`. The service stores the number in the E.164 format, with an extension after `;ext=`. It stores the two examples as `+12125550100;ext=12` and `+2348031234567`.',
  }),
  address1: line.min(1),
  address2: line.default(''),
  city: line.min(1),
  state: state.default(''),
  postal_code: postalCode.default(''),
  country: z.string().trim().length(2).meta({ description: 'The country, as two letters (ISO 3166-1).' }),
  extra: extra.default({}),
}

/** A person's or organization's details, for contacts and registrants. */
export const personShape = {
  name: z.string(),
  organization: z.string().meta({ description: 'The organization. It is empty for a person.' }),
  email: z.string(),
  phone: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string().meta({ description: 'The state or province.' }),
  postal_code: z.string(),
  country: z.string().meta({ description: 'The country, as two letters (ISO 3166-1).' }),
  extra: z.record(z.string(), z.string()).meta({ description: 'Additional fields that some TLDs require.' }),
}

const contactSchema = z
  .object({
    id: z.string(),
    ...personShape,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Contact' })

export type WireContact = z.infer<typeof contactSchema>

const contactParams = z.object({ id: z.string().meta({ description: 'The id of the contact.' }) })
const body = z.strictObject(contactFields)

/** The same fields, all optional and without defaults. */
const change = z.strictObject({
  ...body.partial().shape,
  organization: organization.optional(),
  address2: line.optional(),
  state: state.optional(),
  postal_code: postalCode.optional(),
  extra: extra.optional(),
})

export const contactRoutes = {
  listContacts: route({
    id: 'listContacts',
    method: 'GET',
    path: '/contacts',
    who: ['domains:buy'],
    summary: 'List the contacts of the account',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(contactSchema) },
  }),
  createContact: route({
    id: 'createContact',
    method: 'POST',
    path: '/contacts',
    who: ['domains:buy'],
    summary: 'Create a contact',
    body,
    headers: ['Location'],
    answers: { 201: contactSchema },
    errors: ['contact_invalid', 'conflict'],
  }),
  getContact: route({
    id: 'getContact',
    method: 'GET',
    path: '/contacts/{id}',
    who: ['domains:buy'],
    summary: 'Read one contact',
    params: contactParams,
    answers: { 200: contactSchema },
  }),
  changeContact: route({
    id: 'changeContact',
    method: 'PATCH',
    path: '/contacts/{id}',
    who: ['domains:buy'],
    summary: 'Change a contact',
    description: 'The change applies to later orders. The registrants of existing domains do not change.',
    params: contactParams,
    body: change,
    answers: { 200: contactSchema },
    errors: ['contact_invalid'],
  }),
  deleteContact: route({
    id: 'deleteContact',
    method: 'DELETE',
    path: '/contacts/{id}',
    who: ['domains:buy'],
    summary: 'Delete a contact',
    params: contactParams,
    answers: { 204: null },
  }),
}

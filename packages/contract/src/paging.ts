import { z } from 'zod'

export const defaultPageSize = 50
export const maxPageSize = 200

/** `?limit=` and `?cursor=` of every list. */
export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxPageSize)
    .default(defaultPageSize)
    .meta({ description: 'The maximum number of entries in the page.' }),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: 'The `next_cursor` of the previous page. Omit it to get the first page.' }),
}

/** A page of a list: `next_cursor` is null on the last one. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).meta({ description: 'The entries of this page.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The cursor of the next page. It is null on the last page.' }),
  })
}

/** The values of `?sort=` of a list that can be sorted by these members. A minus sign reverses the order. */
export function sortQuery(...members: readonly [string, ...string[]]) {
  return z
    .enum(members.flatMap((member) => [member, `-${member}`]))
    .default(members[0])
    .meta({
      description:
        'The field by which the list is sorted. A minus sign reverses the order. Entries without a value for this field come last. A cursor is valid only with the same `sort` as the page that returned the cursor.',
    })
}

/** Whether a domain has DS records, in `?dnssec=`. */
export const dnssecQuery = z.enum(['ds', 'no_ds', 'unknown']).optional()

/** The DNSSEC state of a zone or a domain in responses. */
export const dnssecSchema = z.object({
  parent_ds: z.boolean().nullable().meta({
    description:
      'True if the parent zone has DS records for the domain. Resolvers then require signed responses. The service knows this only for domains that are registered here, and for zones whose parent zone is hosted here. In all other cases, the field is null.',
  }),
})

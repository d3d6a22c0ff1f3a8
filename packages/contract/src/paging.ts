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

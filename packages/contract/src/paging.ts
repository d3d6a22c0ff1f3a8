import { z } from 'zod'

export const defaultPageSize = 50
export const maxPageSize = 200

/** `?limit=` and `?cursor=` of every list. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(maxPageSize).default(defaultPageSize),
  cursor: z.string().max(2_000).optional(),
}

/** A page of a list: `next_cursor` is null on the last one. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor: z.string().nullable() })
}

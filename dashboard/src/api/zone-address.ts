import { queries } from './queries.ts'
import { queryClient } from './query-client.ts'

/** The path of a new zone: by its name, unless the name leads to another zone with the same name. */
export async function addressOf({ id, name }: { readonly id: string; readonly name: string }): Promise<string> {
  const named = await queryClient.fetchQuery({ ...queries.zone(name), staleTime: 0 })
  return named.id === id ? name : id
}

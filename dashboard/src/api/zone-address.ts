import { queries } from './queries.ts'
import { queryClient } from './query-client.ts'

/** Where a zone that was just made is: by its name, unless that leads to another one, which has it as well. */
export async function addressOf({ id, name }: { readonly id: string; readonly name: string }): Promise<string> {
  const named = await queryClient.fetchQuery({ ...queries.zone(name), staleTime: 0 })
  return named.id === id ? name : id
}

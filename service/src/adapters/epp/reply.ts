import type { Response } from '@zonewright/epp'
import type { RegistryReply } from '#ports/registry.ts'

/** The result of the registry, without its data. */
export function replyOf({ results, transaction }: Response): RegistryReply {
  const [{ code, message, reasons }] = results
  return {
    code,
    message: [message.text, ...reasons].filter((text) => text !== '').join(': '),
    svTrid: transaction.svTrid,
  }
}

import type { Response } from '@zonewright/epp'
import type { RegistryReply } from '#ports/registry.ts'

/** What the registry said, without what it brought. */
export function replyOf({ results, transaction }: Response): RegistryReply {
  const [{ code, message, reasons }] = results
  return {
    code,
    message: [message.text, ...reasons].filter((text) => text !== '').join(': '),
    svTrid: transaction.svTrid,
  }
}

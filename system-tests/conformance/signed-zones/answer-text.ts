import { type Message, type ResourceRecord, rdataToText, typeToText } from '@zonewright/dns'

/** The content of an answer. */
interface Answer extends Pick<Message, 'rcode' | 'aa' | 'tc'> {
  readonly answers: readonly ResourceRecord[]
  readonly authorities: readonly ResourceRecord[]
}

/** An answer as text that is the same for answers that say the same. Addresses of nameservers are everybody's own choice. */
export function answerText({ rcode, aa, tc, answers, authorities }: Answer): string {
  const lines = (records: readonly ResourceRecord[]) =>
    records
      .map((each) => `${each.name} ${each.ttl} ${typeToText(each.type)} ${rdataToText(each.type, each.data)}`)
      .sort()
  return JSON.stringify({ rcode, aa, tc, answers: lines(answers), authorities: lines(authorities) }, undefined, 1)
}

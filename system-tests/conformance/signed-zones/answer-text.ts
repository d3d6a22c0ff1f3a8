import { type Message, type ResourceRecord, rdataToText, typeToText } from '@zonewright/dns'

/** The content of an answer. */
interface Answer extends Pick<Message, 'rcode' | 'aa' | 'tc'> {
  readonly answers: readonly ResourceRecord[]
  readonly authorities: readonly ResourceRecord[]
}

/** An answer as text, which is equal for equivalent answers. It omits addresses of nameservers, which every server chooses for itself. */
export function answerText({ rcode, aa, tc, answers, authorities }: Answer): string {
  const lines = (records: readonly ResourceRecord[]) =>
    records
      .map((each) => `${each.name} ${each.ttl} ${typeToText(each.type)} ${rdataToText(each.type, each.data)}`)
      .sort()
  return JSON.stringify({ rcode, aa, tc, answers: lines(answers), authorities: lines(authorities) }, undefined, 1)
}

import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

/** The addresses of the pages for customers, by their paths. Browsers show them as text. */
const addresses = import.meta.glob<string>('../../../docs/customers/*.md', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** A link to a page of docs/customers. */
export function DocsLink({ page, children }: { page: string; children: ReactNode }) {
  return (
    <Anchor underline="always" href={addresses[`../../../docs/customers/${page}.md`]} target="_blank" rel="noreferrer">
      {children}
    </Anchor>
  )
}

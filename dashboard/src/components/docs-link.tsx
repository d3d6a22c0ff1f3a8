import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { paths } from '../util/paths.ts'

/** A link to a page of the documentation: a file of docs/customers, or `webhooks`. */
export function DocsLink({ page, children }: { page: string; children: ReactNode }) {
  return (
    <Anchor underline="always" href={paths.docs(page)} target="_blank" rel="noreferrer">
      {children}
    </Anchor>
  )
}

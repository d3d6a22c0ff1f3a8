import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyText } from '../ui/copy.tsx'
import { Section } from '../ui/page.tsx'
import { VerificationCodes } from './verification-code.tsx'

/** The secret of an endpoint, from the only response that has it. Closing it removes it from the page. */
export function SecretOnce({
  of,
  secret,
  onClose,
  children,
}: {
  of: string
  secret: string
  onClose: () => void
  /** What to do next. */
  children?: ReactNode
}) {
  return (
    <Section title={`The secret of ${of}`} lead="Your server checks signatures with it. It is shown only once.">
      <CopyText text={secret} what="the secret" />
      <VerificationCodes />
      {children}
      <Group>
        <Button onClick={onClose}>I have saved it</Button>
      </Group>
    </Section>
  )
}

import { Button, Group } from '@mantine/core'
import { CopyText } from '../ui/copy.tsx'
import { Section } from '../ui/page.tsx'

/** The secret of an endpoint, in the one answer that has it: gone from the page when it is closed. */
export function SecretOnce({ of, secret, onClose }: { of: string; secret: string; onClose: () => void }) {
  return (
    <Section title={`The secret of ${of}`} lead="Your server checks signatures with it. It is shown only now.">
      <CopyText text={secret} what="the secret" />
      <Group>
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Section>
  )
}

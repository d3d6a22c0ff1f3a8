import { Text } from '@mantine/core'
import { FreeSubdomainForm, useFreeParents } from '../forms/free-subdomain-form.tsx'
import { OwnDomainForm } from '../forms/own-domain-form.tsx'
import { Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'

/** Two ways to add a zone: for a domain of one's own, or as a free subdomain. */
export function AddZonePage() {
  const { parents = [], error, retry } = useFreeParents()
  return (
    <Page title="Add a zone" within={<TextLink {...paths.zones()}>Zones</TextLink>}>
      <Section
        title="Your own domain"
        lead="You can use a domain from any registrar. A TXT record or a nameserver proves that it is yours. A name below one of your zones or domains is live immediately."
      >
        <OwnDomainForm autoFocus />
        <Text size="sm">
          <TextLink {...paths.addZones()}>Add many at once</TextLink>
        </Text>
      </Section>
      <Failure error={error} retry={retry} />
      {parents.length > 0 && (
        <Section
          title="A free subdomain"
          lead="It is live immediately, and yours as long as you keep it. An account can have three."
        >
          <FreeSubdomainForm parents={parents} />
        </Section>
      )}
    </Page>
  )
}

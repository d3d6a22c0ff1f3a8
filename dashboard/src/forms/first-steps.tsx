import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icons.tsx'
import { FindNameForm } from './find-name-form.tsx'
import { FreeSubdomainForm, useFreeParents } from './free-subdomain-form.tsx'
import { OwnDomainForm } from './own-domain-form.tsx'

/** What a new account sees first: three ways to a zone. */
export function FirstSteps() {
  const { parents = [] } = useFreeParents()
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <div>
        <Title order={2} id="first-steps">
          Which domain do you want to use?
        </Title>
        <Text className="quiet">You can add more at any time.</Text>
      </div>
      <div className="first-choices">
        <Choice
          icon="search"
          title="Buy a domain"
          says="Find an available name. It works here as soon as it is paid for."
        >
          <FindNameForm />
        </Choice>
        <Choice
          icon="zones"
          title="Bring a domain"
          says="Keep it where you bought it. We show you each step, and your website and email keep working."
        >
          <OwnDomainForm />
        </Choice>
        {parents.length > 0 && (
          <Choice
            icon="domain"
            title="Claim a free subdomain"
            says="It is live immediately and costs nothing. Good for trying things out."
          >
            <FreeSubdomainForm parents={parents} />
          </Choice>
        )}
      </div>
    </section>
  )
}

function Choice({ icon, title, says, children }: { icon: IconName; title: string; says: string; children: ReactNode }) {
  return (
    <section className="first-choice card" aria-label={title}>
      <span className="choice-icon" aria-hidden="true">
        <Icon name={icon} size={22} />
      </span>
      <Title order={3}>{title}</Title>
      <Text size="sm" className="quiet">
        {says}
      </Text>
      {children}
    </section>
  )
}

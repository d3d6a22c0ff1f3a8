import type { ProviderSetting } from '#platform/settings/providers-setting.ts'
import type { SignInProvider, SignInProviders } from '#ports/sign-in-provider.ts'
import { type GithubUrls, githubProvider, githubUrls } from './github.ts'
import { openidProvider } from './openid.ts'
import { ProviderHttp } from './provider-http.ts'

interface ProviderOptions {
  /** Time limit for all requests of one `begin` or `finish` together. */
  readonly timeoutMs?: number
  /** How long the discovery document of a provider is cached. */
  readonly metadataAgeMs?: number
  /** The URLs of GitHub. Tests use others. */
  readonly github?: GithubUrls
}

/** Shorter than a browser waits, and longer than a provider takes. */
const defaultTimeoutMs = 10_000
const defaultMetadataAgeMs = 10 * 60_000

/** The sign-in providers of the settings. They are queried only on demand. */
export function createSignInProviders(
  settings: readonly ProviderSetting[],
  { timeoutMs = defaultTimeoutMs, metadataAgeMs = defaultMetadataAgeMs, github = githubUrls }: ProviderOptions = {},
): SignInProviders {
  const made = settings.map((setting): readonly [SignInProvider, ProviderHttp] => {
    const http = new ProviderHttp(timeoutMs)
    return setting.kind === 'github'
      ? [githubProvider(setting, http, github), http]
      : [openidProvider(setting, http, metadataAgeMs), http]
  })
  return {
    all: made.map(([provider]) => provider),
    close: async () => {
      await Promise.all(made.map(([, http]) => http.close()))
    },
  }
}

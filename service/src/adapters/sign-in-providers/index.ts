export { createSignInProviders } from './sign-in-providers.ts'

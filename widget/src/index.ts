import { ServiceAssistant } from './element.ts'

// If a page has the snippet twice, the first script wins. An old browser shows nothing rather than something broken.
if (!customElements.get('service-assistant') && CSS.supports('color', 'light-dark(red, red)'))
  customElements.define('service-assistant', ServiceAssistant)

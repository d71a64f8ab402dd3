import { ServiceAssistant } from './element.ts'

// A page may carry the snippet twice: the first script counts. A browser that cannot draw it is shown nothing broken.
if (!customElements.get('service-assistant') && CSS.supports('color', 'light-dark(red, red)'))
  customElements.define('service-assistant', ServiceAssistant)

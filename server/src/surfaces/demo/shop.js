// Whom the shop knows: a visitor, or Nino, who is signed in. The widget asks for a fresh token when it needs one.
const assistant = document.querySelector('service-assistant')
const person = document.querySelector('#person')
let isSignedIn = false

person.addEventListener('click', () => {
  isSignedIn = !isSignedIn
  person.setAttribute('aria-pressed', String(isSignedIn))
  person.textContent = isSignedIn ? person.dataset.in : person.dataset.out
  assistant.getCustomerToken = isSignedIn ? async () => (await fetch('/demo/customer-token')).text() : undefined
})

// The shop knows a visitor and Nino, who can sign in. The widget asks for a fresh token when it needs one.
const assistant = document.querySelector('service-assistant')
const person = document.querySelector('#person')
let isSignedIn = false

person.addEventListener('click', () => {
  isSignedIn = !isSignedIn
  person.textContent = isSignedIn ? person.dataset.in : person.dataset.out
  assistant.getCustomerToken = isSignedIn ? freshToken : undefined
})

async function freshToken() {
  const answer = await fetch('/demo/customer-token')
  if (!answer.ok) throw new Error(`The shop returned no token (status ${answer.status}).`)
  return answer.text()
}

for (const question of document.querySelectorAll('.question')) {
  question.addEventListener('click', () => {
    assistant.open()
    const box = assistant.shadowRoot.querySelector('textarea')
    box.value = question.textContent
    box.form.requestSubmit()
  })
}

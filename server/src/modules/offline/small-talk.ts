// Recognises small talk. We answer it and look nothing up.

export type SmallTalk = 'greeting' | 'thanks' | 'fine' | 'goodbye' | 'about' | 'yes'

const ends = String.raw`[\s!.,?)😀🙂👍🙏❤]*$`
const whole = (words: string): RegExp => new RegExp(`^[\\s]*(?:${words})${ends}`, 'iu')

const GREETS =
  'hi|hello|hey|hiya|howdy|greetings|good (?:morning|day|evening|afternoon)|გამარჯობა(?:თ)?|სალამი|მოგესალმებით|დილა მშვიდობისა|საღამო მშვიდობისა|დღე მშვიდობისა'
const ABOUT =
  "help|what can you do(?: for me)?|who are you|what are you|(?:who|what) am i (?:talking|speaking|chatting) (?:to|with)|(?:you are|are you) (?:a |an )?(?:robot|bot|human|person|machine|ai|real)(?: aren'?t you)?|დახმარება|რა შეგიძლია(?:თ)?|ვინ ხარ(?:თ)?|რობოტი ხარ(?:თ)?|ადამიანი ხარ(?:თ)?"
const THANKS =
  'thanks?(?: you)?(?: (?:so|very) much| a lot| anyway| again)?|thx|ty|მადლობა|გმადლობთ?|დიდი მადლობა|უღრმესი მადლობა|მადლობა დიდი'
const FINE =
  'great|ok(?:ay)?|lol(?: ok(?:ay)?)?|cool|perfect|wonderful|nice|got it|all right|alright|კარგი|ოკ|გასაგებია'
const BYE =
  'bye|goodbye|bye bye|see you(?: later| soon)?|good night|have a (?:nice|good) (?:day|evening|one)|ნახვამდის|კარგად(?: იყავი(?:თ)?)?|შეხვედრამდე|ღამე მშვიდობისა'
const lead = '(?:(?:ok(?:ay)?|great|well|კარგი|ოკ|thanks|thank you|მადლობა)[\\s,!.]+)?'
const there = '(?: there| all| everyone|,? team| again)?'
const HOW = "(?:[\\s,!.]+(?:how are you(?: doing)?(?: today)?|how(?:'s| is) it going|როგორ ხარ(?:თ)?))?"

const KINDS: readonly (readonly [SmallTalk, RegExp])[] = [
  ['thanks', whole(THANKS)],
  ['fine', whole(FINE)],
  ['goodbye', whole(`${lead}(?:${BYE})`)],
  ['greeting', whole(`(?:${GREETS})${there}${HOW}|how are you(?: doing)?(?: today)?|როგორ ხარ(?:თ)?`)],
  ['about', whole(`(?:(?:${GREETS})${there}[\\s,!.]+)?(?:${ABOUT})`)],
  [
    'yes',
    whole('y|yes|yeah|yep|sure|of course|yes,? please|please do|do it|go ahead|კი|დიახ|ჰო|რა თქმა უნდა|კი,? გთხოვთ'),
  ],
]

const MOST = 12

export function smallTalkIn(text: string): SmallTalk | undefined {
  if (text.trim().split(/\s+/).length > MOST || /\d/.test(text)) return undefined
  return KINDS.find(([, said]) => said.test(text))?.[0]
}

const ENDS_IN_THANKS = /(?:^|[,.!]\s*)(?:thanks|thank you|გმადლობთ?|მადლობა)[^?\d]{0,20}[.!]*$/iu
const BEGINS_WITH_THANKS =
  /^(?:(?:ok(?:ay)?|great|კარგი|many|დიდი)[\s,!.]+)?(?:thanks|thank you|გმადლობთ?|მადლობა)(?!\p{L})[^?\d]*$/iu
const BUT =
  /\b(?:but|though|although|however|still|yet|no|not|\w+n['’]t|dont)\b|(?<!\p{L})(?:მაგრამ|თუმცა|არ|ვერ|ვერც|არც|აღარ|ისევ|ჯერ)(?!\p{L})/iu

/** "Thanks, you were a great help" says no more than its first word, but "thanks, but I am still lost" does. */
export const givesThanks = (text: string): boolean =>
  ENDS_IN_THANKS.test(text.trim()) ||
  (BEGINS_WITH_THANKS.test(text.trim()) && !BUT.test(text) && text.trim().split(/\s+/).length <= MOST)

const PERSON =
  /\b(?:human|operator|representative|real person|(?:talk|speak|chat) (?:to|with) (?:a |an |some)?(?:person|someone|agent|human|staff))\b|ოპერატორ|ადამიანთან|კონსულტანტ|თანამშრომელთან|თანამშრომელს დამ/iu

export const asksForPerson = (text: string): boolean => PERSON.test(text)

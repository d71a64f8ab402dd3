// A receiver of Tether's calls in plain Go: the standard library alone. It checks signatures, and runs each write once.
//
//	TETHER_SIGNING_SECRET=whsec_… go run receiver.go
//
// Each write is a folder of claims: a file that is created exclusively is the claim, and the answer is renamed into its place when
// the write is done. A process that dies in between leaves a claim without an answer, which nobody performs again: look what became
// of it under its request_id, and write the answer beside it. Where your effects are in a database, keep the claims there, too, and
// commit both in one transaction; then nothing is left.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"
)

type call struct {
	Type       string          `json:"type"`
	RequestID  string          `json:"request_id"`
	Mode       string          `json:"mode"`
	Tool       string          `json:"tool"`
	Arguments  map[string]any  `json:"arguments"`
	IsWrite    *bool           `json:"is_write"`
	Tenant     map[string]any  `json:"tenant"`
	User       map[string]any  `json:"user"`
	Customer   json.RawMessage `json:"customer"`
	OccurredAt string          `json:"occurred_at"`
}

// isCall is true of a complete call, which says twice whether it writes. The same secret signs what an imported API is sent, and
// that is no call.
func (c call) isCall() bool {
	return c.Type == "tool_call" && c.RequestID != "" && c.Tool != "" && c.OccurredAt != "" &&
		c.Arguments != nil && c.Tenant != nil && c.User != nil && c.Customer != nil &&
		c.IsWrite != nil && (c.Mode == "execute" && *c.IsWrite || c.Mode == "read" && !*c.IsWrite)
}

type reply struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// refused is remembered: 409 conflict, 422 invalid, 403 forbidden, 404 not found.
type refused struct {
	status  int
	message string
}

func (r refused) Error() string { return r.message }

type order struct {
	Number string `json:"number"`
	State  string `json:"state"`
}

var (
	lock   sync.Mutex
	orders = map[string]order{"A-1001": {"A-1001", "paid"}}
)

// Which tools write is decided here, and by no body.
var reads = map[string]func(call) (any, error){
	"get_order": func(c call) (any, error) {
		lock.Lock()
		defer lock.Unlock()
		number, _ := c.Arguments["number"].(string)
		if found, ok := orders[number]; ok {
			return found, nil
		}
		return nil, nil
	},
}

var writes = map[string]func(call) (any, error){
	"refund_order": func(c call) (any, error) {
		lock.Lock()
		defer lock.Unlock()
		number, _ := c.Arguments["number"].(string)
		found, ok := orders[number]
		if !ok || found.State != "paid" {
			return nil, refused{http.StatusConflict, "There is no paid order of this number."}
		}
		found.State = "refunded"
		orders[number] = found
		return found, nil
	},
}

var digits = regexp.MustCompile(`^[0-9]{1,12}$`)

// isSigned checks HMAC-SHA256 over "{timestamp}.{raw body}", keyed with the whole secret text; at most 300 seconds old.
func isSigned(secret string, header http.Header, body []byte) bool {
	timestamp := header.Get("X-Service-Timestamp")
	if !digits.MatchString(timestamp) {
		return false
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - seconds; age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header.Get("X-Service-Signature")))
}

// performOnce claims the key, performs the write, and remembers its answer.
func performOnce(claims string, tool func(call) (any, error), c call) (reply, error) {
	// A key is not a path: its digest is the name of its files.
	digest := sha256.Sum256([]byte(c.RequestID))
	claim := filepath.Join(claims, hex.EncodeToString(digest[:]))
	answered := claim + ".answer"
	if known, err := os.ReadFile(answered); err == nil {
		var kept reply
		return kept, json.Unmarshal(known, &kept)
	}
	file, err := os.OpenFile(claim, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return reply{http.StatusConflict, json.RawMessage(`{"status":"in_flight"}`)}, nil
	}
	if err != nil {
		return reply{http.StatusTooManyRequests, said("Nothing was applied.")}, nil
	}
	if err := firstOf(file.Sync(), file.Close(), syncFolder(claims)); err != nil {
		return reply{}, err
	}
	result, err := tool(c)
	var no refused
	var kept reply
	switch {
	case errors.As(err, &no):
		kept = reply{no.status, said(no.message)}
	case err != nil:
		return reply{}, err // what it did is not known: the claim stays
	default:
		text, err := json.Marshal(result)
		if err != nil {
			return reply{}, err
		}
		kept = reply{http.StatusOK, text}
	}
	return kept, remember(claims, answered, kept)
}

func remember(claims, answered string, kept reply) error {
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	file, err := os.Create(answered + ".new")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err := firstOf(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return firstOf(os.Rename(answered+".new", answered), syncFolder(claims))
}

// syncFolder makes the names in a folder survive a power cut, and not only the files.
func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return firstOf(folder.Sync(), folder.Close())
}

func firstOf(faults ...error) error {
	for _, fault := range faults {
		if fault != nil {
			return fault
		}
	}
	return nil
}

func said(message string) json.RawMessage {
	text, _ := json.Marshal(map[string]string{"message": message})
	return text
}

func answer(secret, claims string, header http.Header, body []byte) reply {
	if !isSigned(secret, header, body) {
		return reply{http.StatusUnauthorized, said("The signature does not match, or is too old.")}
	}
	var c call
	if err := json.Unmarshal(body, &c); err != nil {
		return reply{http.StatusBadRequest, said("It is signed, but is not JSON.")}
	}
	// Events and tests run nothing. Keep events by their request_id: each may come more than once.
	if c.Type == "event" || c.Type == "endpoint_test" {
		return reply{Status: http.StatusNoContent}
	}
	if !c.isCall() {
		return reply{http.StatusBadRequest, said("It is signed, but is no tool call and no event.")}
	}
	tools := reads
	if *c.IsWrite {
		tools = writes
	}
	tool, ok := tools[c.Tool]
	if !ok {
		return reply{http.StatusMisdirectedRequest, said("There is no such tool here.")}
	}
	if *c.IsWrite {
		kept, err := performOnce(claims, tool, c)
		if err != nil {
			log.Printf("%s failed: %v", c.Tool, err)
			return reply{http.StatusInternalServerError, said("What became of it is not known.")}
		}
		return kept
	}
	result, err := tool(c)
	var no refused
	switch {
	case errors.As(err, &no):
		return reply{no.status, said(no.message)}
	case err != nil:
		log.Printf("%s failed: %v", c.Tool, err)
		return reply{http.StatusInternalServerError, said("The tool failed.")}
	case result == nil:
		return reply{http.StatusNotFound, json.RawMessage(`{"status":"not_found","message":"There is no such thing."}`)}
	}
	text, err := json.Marshal(result)
	if err != nil {
		return reply{http.StatusInternalServerError, said("The tool failed.")}
	}
	return reply{http.StatusOK, text}
}

func main() {
	secret := os.Getenv("TETHER_SIGNING_SECRET")
	if secret == "" {
		log.Fatal("Set TETHER_SIGNING_SECRET to the signing secret of the workspace (whsec_…).")
	}
	claims := os.Getenv("CLAIMS")
	if claims == "" {
		claims = "claims"
	}
	if err := os.MkdirAll(claims, 0o700); err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Your tools are at http://%s/tools\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		said := answer(secret, claims, r.Header, body)
		if len(said.Body) > 0 {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(said.Status)
		_, _ = w.Write(said.Body)
	})))
}

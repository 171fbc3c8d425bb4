;;; interplay-mode.el --- Specifications of reactive systems -*- lexical-binding: t -*-
;; Put this on the load path and (require 'interplay-mode); then M-x eglot in a .play file.

(require 'eglot)

(defconst interplay-words
  '("system" "import" "reactive" "synchronous" "type" "enum" "record" "object" "const" "var" "init" "def" "proc" "input"
    "output" "internal" "may" "signal" "exclusive" "exactly" "relation" "start" "choice" "collect" "on" "component"
    "accepting" "observer" "property" "assuming" "fair" "strongly" "scenario" "goal" "setup" "extends" "under" "after" "entry" "exit" "requires" "ensures" "raises" "raise"
    "choose" "when" "expect" "every" "and" "or" "not" "implies" "iff" "in" "is" "if" "then" "else" "match" "for" "where"
    "always" "eventually" "never" "possible" "once" "historically" "previously" "next" "within" "since" "until" "unless" "true" "false"
    "none" "some" "old" "new" "at" "result" "let" "emit" "return" "assert")
  "Words of the grammar; the language server knows where each of them is one.")

(defvar interplay-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "w" table)
    table))

;;;###autoload
(define-derived-mode interplay-mode prog-mode "Interplay"
  "Major mode for specifications of Interplay."
  (setq-local comment-start "// ")
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults
              `(((,(regexp-opt interplay-words 'symbols) . font-lock-keyword-face)
                 ("\\_<\\(Bool\\|Int\\|String\\|Option\\|Seq\\|Set\\|Map\\)\\_>" . font-lock-type-face)))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.play\\'" . interplay-mode))
(add-to-list 'eglot-server-programs '(interplay-mode . ("interplay" "lsp")))

(provide 'interplay-mode)
;;; interplay-mode.el ends here
